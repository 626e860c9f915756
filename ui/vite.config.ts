import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// `npm run dev` shows the sources as they change, with the data of a hive that runs already.
const hive = process.env.HIVE_SERVER ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2022',
    // The policy of the page allows no data: scripts or styles.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    reportCompressedSize: false,
  },
  server: {
    proxy: {
      '/api': hive,
      '/auth': hive,
      '/icon.svg': hive,
      '/ws': { target: hive, ws: true },
    },
  },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
});
