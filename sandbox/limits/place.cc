#include "sandbox/limits/place.h"

#include <algorithm>
#include <utility>

namespace paddock::sandbox::limits {

Places FindPlaces(CgroupView view, Moving moving) {
  Places places;
  const std::vector<Hierarchy> hierarchies = Hierarchies(view);
  places.all = FindInVersion1(hierarchies);
  for (const Hierarchy& hierarchy : hierarchies) {
    if (hierarchy.version != 2) continue;
    Place place = FindInVersion2(view, hierarchy, moving, &places.could_move);
    // A v2 without controllers beside v1 is common and has nothing to add.
    const bool counted = std::any_of(places.all.begin(), places.all.end(), [](const Place& one) { return one.cpu; });
    if (!place.memory && !place.processes && (!place.cpu || counted)) continue;
    // The kernel has each controller in one hierarchy only, but for the count of processor time.
    for (Place& other : places.all) other.cpu = other.cpu && !place.cpu;
    places.all.insert(places.all.begin(), std::move(place));
  }
  std::erase_if(places.all, [](const Place& one) { return !one.memory && !one.processes && !one.cpu; });
  for (const Place& place : places.all) RemoveLeftovers(view, place.folder);
  places.view = std::move(view);
  return places;
}

}  // namespace paddock::sandbox::limits
