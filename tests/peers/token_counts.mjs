// How many tokens of o200k each file has: token_counts.mjs FILE... prints a number a line.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(path.join(process.cwd(), "package.json"));
const { countTokens } = require("gpt-tokenizer/encoding/o200k_base");

for (const file of process.argv.slice(2)) console.log(countTokens(fs.readFileSync(file, "utf8"), { disallowedSpecial: new Set() }));
