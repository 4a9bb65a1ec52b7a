import { type FormEvent, useState } from "react";
import { Link } from "wouter";
import { Robot } from "../board/Robot";
import { MAX_NAME_CHARACTERS } from "../protocol";
import { signIn } from "../state/client";
import { readName } from "../state/session";
import { useApp } from "../state/store";
import { text } from "../text/text";
import styles from "./connect.module.css";

/** Asks for a name. */
export function ConnectView({ hint }: { hint?: string | undefined }) {
  const problem = useApp((state) => state.connection.problem);
  const [name, setName] = useState(readName);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim()) signIn(name.trim());
  };
  return (
    <div className={styles.connect}>
      <svg className={styles.art} viewBox="-10 -10 440 170" aria-hidden="true">
        {ART.map(({ x, team, stack }) => (
          <g key={x} transform={`translate(${x} 30) scale(1.2)`}>
            <Robot team={team} stack={stack} />
          </g>
        ))}
      </svg>
      <h1 className={styles.title}>{text.tagline}</h1>
      <p className={styles.lead}>{text.connect.lead}</p>
      <form className={styles.form} onSubmit={submit}>
        <label htmlFor="name">{hint ?? text.connect.name}</label>
        <div className={styles.row}>
          <input
            id="name"
            value={name}
            maxLength={MAX_NAME_CHARACTERS}
            autoComplete="nickname"
            placeholder={text.connect.hint}
            aria-invalid={problem !== null}
            aria-describedby={problem ? "name-problem" : undefined}
            onChange={(event) => setName(event.target.value)}
          />
          <button type="submit" className="primary" disabled={!name.trim()}>
            {text.connect.enter}
          </button>
        </div>
        {problem && (
          <p id="name-problem" role="alert" className="danger">
            {problem.message}
          </p>
        )}
      </form>
      <Link href="/analysis">{text.connect.analysisInstead}</Link>
    </div>
  );
}

const ART = [
  { x: 0, team: "white", stack: 1 },
  { x: 100, team: "white", stack: 4 },
  { x: 200, team: "black", stack: 2 },
  { x: 300, team: "black", stack: 6 },
] as const;
