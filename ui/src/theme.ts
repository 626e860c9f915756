import { useSyncExternalStore } from 'react';

export type Theme = 'auto' | 'light' | 'dark';
const stored = 'hive.theme';
const watchers = new Set<() => void>();

function read(): Theme {
  const theme = document.documentElement.dataset.theme;
  return theme === 'light' || theme === 'dark' ? theme : 'auto';
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === 'auto') localStorage.removeItem(stored);
    else localStorage.setItem(stored, theme);
  } catch {
    // No storage: it holds for this page only.
  }
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', watcher);
  return () => {
    watchers.delete(watcher);
    system.removeEventListener('change', watcher);
  };
}

export function useTheme(): Theme {
  return useSyncExternalStore(watch, read);
}
// Changes when what is on the screen changes: canvases draw themselves again.
export function useIsDark(): boolean {
  return useSyncExternalStore(watch, () => {
    const theme = read();
    return theme === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
  });
}
