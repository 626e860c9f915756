// Before the first paint, so that the page does not flash in the wrong theme.
try {
  const theme = localStorage.getItem('hive.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // No storage: the theme of the system it is.
}
