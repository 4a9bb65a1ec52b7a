/** Light or dark: as the system says, until somebody chooses. */
export function startTheme(): void {
  const chosen = localStorage.getItem(THEME);
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
}

export function changeTheme(): void {
  const root = document.documentElement;
  const isDark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : window.matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  localStorage.setItem(THEME, root.dataset.theme);
}

const THEME = "boombots.theme";
