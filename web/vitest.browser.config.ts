import { defineConfig } from "vitest/config";

// Tests in a real browser against the real server. One file at a time: each starts its own.
export default defineConfig({
  test: {
    environment: "node",
    include: ["tests/**/*.test.ts"],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
