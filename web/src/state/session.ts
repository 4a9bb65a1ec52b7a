/** What outlives a reload: the session of this tab, and the name for the next one. */
export interface Session {
  name: string;
  token: string;
}

export function readSession(): Session | null {
  try {
    const found = JSON.parse(sessionStorage.getItem(SESSION) ?? "null");
    return typeof found?.name === "string" && typeof found.token === "string" ? found : null;
  } catch {
    return null;
  }
}

export function writeSession(session: Session | null): void {
  if (session) sessionStorage.setItem(SESSION, JSON.stringify(session));
  else sessionStorage.removeItem(SESSION);
}

export function readName(): string {
  return localStorage.getItem(NAME) ?? "";
}

export function writeName(name: string): void {
  localStorage.setItem(NAME, name);
}

const SESSION = "boombots.session";
const NAME = "boombots.name";
