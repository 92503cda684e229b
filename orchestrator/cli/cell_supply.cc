#include "orchestrator/cli/cell_supply.h"

#include "orchestrator/cli/surroundings.h"

namespace paddock::orchestrator {

Result<CellAccess> CellSupply::Get() {
  if (!starter_) starter_ = TRY(Take());
  if (!pool_) pool_ = std::make_unique<FramePool>(kLargeFrames);
  return CellAccess{starter_.get(), pool_.get(), cancel_fd_};
}

Result<std::unique_ptr<CellStarter>> CellSupply::Take() {
  if (starter_) return std::move(starter_);
  return CellStarter::Make(TRY(ProgramsFolder()), static_cast<uint32_t>(jail_uid_));
}

}  // namespace paddock::orchestrator
