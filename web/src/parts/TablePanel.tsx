import type { Action, RatedAction, TableResult, Team } from "../protocol";
import { text } from "../text/text";
import side from "./side.module.css";
import styles from "./table.module.css";
import type { TableState } from "./useTable";

interface Props {
  table: TableState;
  turn: Team;
  isOver: boolean;
  /** Points an action out on the board. */
  onHint(action: Action | null): void;
  onAction(action: Action): void;
}

/** Every action with its exact value, best first. */
export function TablePanel({ table, turn, isOver, onHint, onAction }: Props) {
  const { answer } = table;
  const title = answer?.class ? text.analysis.tableOf(answer.class) : text.analysis.table;
  const best = answer?.actions?.[0];
  return (
    <section className={side.panel} aria-label={text.analysis.table} data-table={table.state}>
      <header className={styles.header}>
        <h2>{title}</h2>
        {best && (
          <button type="button" onClick={() => onAction(best.action)}>
            {text.analysis.best}
          </button>
        )}
      </header>
      {answer?.value ? (
        <>
          <p className={styles.headline} data-value={answer.value}>
            {text.analysis.headline(turn, answer.value, answer.plies)}
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
          <div className={styles.groups} tabIndex={0} role="group" aria-label={title}>
            {VALUES.map((value) => (
              <Group
                key={value}
                value={value}
                actions={answer.actions?.filter((action) => action.value === value) ?? []}
                onHint={onHint}
                onAction={onAction}
              />
            ))}
          </div>
        </>
      ) : (
        <p className={styles.none}>{isOver ? text.analysis.over : EXPLAINED[table.state]}</p>
      )}
    </section>
  );
}

interface GroupProps {
  value: TableResult;
  actions: readonly RatedAction[];
  onHint(action: Action | null): void;
  onAction(action: Action): void;
}

function Group({ value, actions, onHint, onAction }: GroupProps) {
  if (actions.length === 0) return null;
  return (
    <div className={styles.group} data-value={value}>
      <h3>
        {text.analysis.groups[value]} <span>{actions.length}</span>
      </h3>
      <ul>
        {actions.map((rated) => (
          <li key={rated.text}>
            <button
              type="button"
              data-action={rated.text}
              onPointerEnter={() => onHint(rated.action)}
              onPointerLeave={() => onHint(null)}
              onFocus={() => onHint(rated.action)}
              onBlur={() => onHint(null)}
              onClick={() => onAction(rated.action)}
            >
              <span>{rated.text}</span>
              <span>{text.analysis.plies(rated.plies)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

const VALUES: readonly TableResult[] = ["win", "draw", "loss"];
const EXPLAINED = {
  asking: text.analysis.asking,
  failed: text.analysis.failed,
  none: text.analysis.noTable,
  here: "",
};
