import { readFileSync } from "node:fs";
import { setRules } from "../rules/rules";
import { rulesOf } from "../rules/wasm";

/** Gives tests the real rules. */
export function loadRealRules(): void {
  const module = new WebAssembly.Module(readFileSync("rules-wasm/rules.wasm"));
  setRules(rulesOf(new WebAssembly.Instance(module)));
}
