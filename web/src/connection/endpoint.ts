/**
 * Where a page may find the server, the likeliest first: what was configured; or else the page's own
 * origin, which is right when the server serves the page, and port 8008 of the page's host.
 */
export function endpoints(
  page: Pick<Location, "protocol" | "host" | "hostname">,
  configured?: string,
): string[] {
  if (configured) return [configured];
  const scheme = page.protocol === "https:" ? "wss:" : "ws:";
  const byDefault = `${scheme}//${page.hostname || "localhost"}:${DEFAULT_PORT}/ws`;
  return page.host ? [...new Set([`${scheme}//${page.host}/ws`, byDefault])] : [byDefault];
}

const DEFAULT_PORT = 8008;
