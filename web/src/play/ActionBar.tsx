import { nameOf } from "../board/geometry";
import type { Described } from "../rules/rules";
import { text } from "../text/text";
import styles from "./play.module.css";
import { stackAt } from "./selection";
import type { Play } from "./usePlay";

interface Props {
  described: Described;
  play: Play;
  isEnabled: boolean;
  status: string;
}

/** Under the board: how many bots go, and the boom. It always takes the same room. */
export function ActionBar({ described, play, isEnabled, status }: Props) {
  const { selection } = play;
  const stack = selection && stackAt(described, selection.source);
  if (!selection || !stack) {
    return (
      <div className={styles.bar} data-bar data-idle>
        <p className={styles.status}>{status || (isEnabled ? text.play.choose : "")}</p>
      </div>
    );
  }
  const { white, black } = stack.boom.losses;
  const name = nameOf(selection.source);
  const said = selection.isArmed
    ? text.play.armed(name, white, black)
    : text.play.selected(name, selection.count, stack.height, stack.targets.length);
  return (
    <div className={styles.bar} data-bar>
      <div className={styles.count} role="group" aria-label={text.play.count}>
        <span className={styles.caption}>{text.play.move}</span>
        <button
          type="button"
          className={styles.step}
          aria-label={text.play.fewer}
          disabled={selection.count <= 1}
          onClick={() => play.count(selection.count - 1)}
        >
          −
        </button>
        <output className={styles.number}>{text.play.of(selection.count, stack.height)}</output>
        <button
          type="button"
          className={styles.step}
          aria-label={text.play.more}
          disabled={selection.count >= stack.height}
          onClick={() => play.count(selection.count + 1)}
        >
          +
        </button>
      </div>
      <button
        type="button"
        className={styles.boom}
        data-armed={selection.isArmed || undefined}
        onPointerEnter={(event) => event.pointerType === "mouse" && play.arm(true)}
        onPointerLeave={(event) => event.pointerType === "mouse" && play.arm(false)}
        onFocus={(event) => event.currentTarget.matches(":focus-visible") && play.arm(true)}
        onBlur={() => play.arm(false)}
        // A finger has not hovered: its first tap shows what would go, its second does it.
        onClick={(event) =>
          selection.isArmed || pointerOf(event.nativeEvent) === "mouse" ? play.boom() : play.arm(true)
        }
      >
        <span className={styles.boomName}>{selection.isArmed ? text.play.boomConfirm : text.play.boom}</span>
        <span className={styles.losses}>{text.play.losses(white, black)}</span>
        <span className="visually-hidden">{name}</span>
      </button>
      <p className="visually-hidden" role="status">
        {said}
      </p>
    </div>
  );
}

/** A click says what made it, though its type does not know that everywhere. */
function pointerOf(event: MouseEvent): string {
  return "pointerType" in event ? String(event.pointerType) : "";
}
