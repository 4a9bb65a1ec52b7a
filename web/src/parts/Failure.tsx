import { Component, type ReactNode } from "react";
import { text } from "../text/text";

/** Keeps a fault of a view from taking the whole page with it. */
export class Failure extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <p role="alert">
        {text.failed}{" "}
        <button type="button" onClick={() => window.location.reload()}>
          {text.reload}
        </button>
      </p>
    );
  }
}
