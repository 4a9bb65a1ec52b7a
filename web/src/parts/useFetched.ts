import { useEffect, useState } from "react";

export type Fetched<T> =
  | { state: "loading" }
  | { state: "failed"; status: number }
  | { state: "here"; value: T };

/** What an address answers; asked anew when it changes, and every so often if that is wanted. */
export function useFetched<T>(address: string | null, everyMs: number | null = null): Fetched<T> {
  const [fetched, setFetched] = useState<{ address: string | null; found: Fetched<T> }>(NOTHING);
  useEffect(() => {
    if (address === null) return;
    const abort = new AbortController();
    const ask = async () => {
      const found = await get<T>(address, abort.signal);
      if (!abort.signal.aborted) setFetched({ address, found });
    };
    void ask();
    const timer = everyMs === null ? undefined : setInterval(ask, everyMs);
    return () => {
      abort.abort();
      clearInterval(timer);
    };
  }, [address, everyMs]);
  return fetched.address === address ? fetched.found : LOADING;
}

export async function get<T>(address: string, signal?: AbortSignal): Promise<Fetched<T>> {
  try {
    const response = await fetch(address, {
      signal: signal ?? null,
      headers: { Accept: "application/json" },
    });
    if (!response.ok) return { state: "failed", status: response.status };
    return { state: "here", value: (await response.json()) as T };
  } catch {
    return { state: "failed", status: 0 };
  }
}

const LOADING = { state: "loading" } as const;
const NOTHING = { address: null, found: LOADING };
