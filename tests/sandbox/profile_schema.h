// The JSON Schema of profiles, made from the field table, as it is published in profiles/profile.schema.json.
#pragma once

#include <string>

#include "base/json.h"
#include "sandbox/profile.h"

namespace paddock::sandbox {

inline std::string PublishedProfileSchema() {
  Json schema = Json::object();
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["title"] = "paddock profile";
  schema["description"] = "What a jail may do. Everything that is missing is denied, or as in the profile that it extends. "
                          "Comments are allowed. maxLength counts bytes of UTF-8.";
  const Json fields = SchemaOf<Profile>();
  for (auto it = fields.begin(); it != fields.end(); ++it) schema[it.key()] = it.value();
  schema["properties"]["schema"]["const"] = kProfileSchema;
  return PrettyJson(schema) + "\n";
}

}  // namespace paddock::sandbox
