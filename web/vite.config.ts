import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// While developing, the game server is asked for what is not the client's.
const SERVER = "http://127.0.0.1:8008";

export default defineConfig({
  plugins: [react()],
  build: {
    // `light-dark()` in the style sheets needs no older browsers.
    target: ["chrome123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    fs: { allow: [".."] },
    proxy: { "/api": SERVER, "/ws": { target: SERVER, ws: true } },
  },
});
