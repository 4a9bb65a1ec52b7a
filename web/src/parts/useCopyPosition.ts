import { useState } from "react";
import { copy } from "./copy";

/** Copies the position as text. */
export function useCopyPosition(position: string): () => void {
  return () => void copy(position);
}

/** Copies something and says for a moment that it did. */
export function useCopied(): [boolean, (text: string) => void] {
  const [isCopied, setIsCopied] = useState(false);
  return [
    isCopied,
    async (text) => {
      await copy(text);
      setIsCopied(true);
      setTimeout(() => setIsCopied(false), SHOWN_MS);
    },
  ];
}

const SHOWN_MS = 1500;
