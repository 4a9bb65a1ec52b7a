import { useEffect, useRef } from "react";

/** Keys of the page. What is typed into a field, or pressed while a dialog is open, is not for it. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isForSomethingElse(event)) return;
      const action = latest.current[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
}

function isForSomethingElse({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest("dialog[open]")) return key !== "?";
  if (target.closest("input:not([type=radio]):not([type=checkbox]), textarea, select")) return true;
  // A button or a link is pressed with these.
  return (key === "Enter" || key === " ") && target.closest("button, a, summary") !== null;
}
