import url from "../../rules-wasm/rules.wasm?url";
import { type Rules, rulesOf } from "./wasm";

export type { Boom, Described, OwnStack, Played, Replayed } from "../../rules-wasm/bindings/rules";

let loaded: Rules | null = null;

/** Fetches and compiles the rules; the page waits for it once, before it shows anything. */
export async function loadRules(): Promise<void> {
  const { instance } = await WebAssembly.instantiateStreaming(fetch(url));
  setRules(rulesOf(instance));
}

/** Sets the rules to be used. */
export function setRules(rules: Rules): void {
  loaded = rules;
}

/** The rules. */
export function rules(): Rules {
  if (!loaded) throw new Error("the rules are not loaded");
  return loaded;
}
