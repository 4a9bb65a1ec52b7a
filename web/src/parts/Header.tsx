import { Link, useLocation } from "wouter";
import { signIn, signOut } from "../state/client";
import { useApp } from "../state/store";
import { changeTheme } from "../style/theme";
import { text } from "../text/text";
import styles from "./header.module.css";
import { useNow } from "./useNow";

const PLACES = [
  ["/", text.nav.lobby],
  ["/analysis", text.nav.analysis],
  ["/games", text.nav.games],
  ["/builds", text.nav.builds],
] as const;

/** The top of every page, and under it what is wrong with the connection. */
export function Header({ onHelp }: { onHelp(): void }) {
  const [place] = useLocation();
  const me = useApp((state) => state.me);
  const isHere = (path: string) =>
    path === "/" ? place === "/" || place.startsWith("/game/") : place.startsWith(path);
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <Link href="/" className={styles.brand}>
          <img src="/icon.svg" alt="" width="30" height="30" />
          <span>{text.name}</span>
        </Link>
        <nav aria-label={text.nav.label} className={styles.nav}>
          {PLACES.map(([path, name]) => (
            <Link key={path} href={path} aria-current={isHere(path) ? "page" : undefined}>
              {name}
            </Link>
          ))}
        </nav>
        <div className={styles.tools}>
          {me && (
            <span className={styles.me} title={text.connection.online(me.name)}>
              {me.name}
              <button
                type="button"
                className={styles.icon}
                aria-label={text.connection.leave}
                onClick={signOut}
              >
                <Icon d="M14 7V5H5v14h9v-2M10 12h10M17 8.500l3.500 3.500-3.500 3.500" />
              </button>
            </span>
          )}
          <button type="button" className={styles.icon} aria-label={text.nav.theme} onClick={changeTheme}>
            <Icon d="M12 4a8 8 0 1 0 8 8 6 6 0 0 1-8-8z" />
          </button>
          <button type="button" className={styles.icon} aria-label={text.nav.help} onClick={onHelp}>
            <Icon d="M9 9.500a3 3 0 1 1 4.200 2.700c-.8.400-1.200 1-1.200 1.800M12 17.500v.1" />
          </button>
        </div>
      </div>
      <Banner />
    </header>
  );
}

function Banner() {
  const { phase, retryAt, attempt } = useApp((state) => state.connection);
  const now = useNow(phase === "waiting" ? 500 : null);
  if (phase === "ended") {
    return (
      <p className={styles.banner} role="alert">
        {text.connection.elsewhere}{" "}
        <button type="button" onClick={() => signIn()}>
          {text.connection.here}
        </button>
      </p>
    );
  }
  if (phase === "waiting" || (phase === "connecting" && attempt > 1)) {
    const seconds = Math.ceil(((retryAt ?? now) - now) / 1000);
    const waits = phase === "waiting" && seconds > 0;
    return (
      <p className={styles.banner} role="status">
        {waits ? text.connection.lost(seconds) : text.connection.retrying}
      </p>
    );
  }
  return null;
}

function Icon({ d }: { d: string }) {
  return (
    <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path
        d={d}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.9"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
