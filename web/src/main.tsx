import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App";
import { loadRules } from "./rules/rules";
import { signIn } from "./state/client";
import { startTheme } from "./style/theme";
import "./style/base.css";

startTheme();
signIn();
await loadRules();
createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
