import { useEffect, useRef } from "react";
import { text } from "../text/text";
import styles from "./help.module.css";

/** The keys and the rules in a dialog. */
export function Help({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isOpen) {
      dialog.current?.showModal();
      // It begins at its beginning, not at the button that ends it.
      title.current?.focus();
    } else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} className={styles.help} aria-labelledby="help-title" onClose={onClose}>
      <h2 ref={title} id="help-title" tabIndex={-1}>
        {text.help.title}
      </h2>
      <dl className={styles.keys}>
        {text.help.keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <h2>{text.help.rules}</h2>
      {text.help.rulesText.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <form method="dialog">
        <button type="submit" className="primary">
          {text.help.close}
        </button>
      </form>
    </dialog>
  );
}
