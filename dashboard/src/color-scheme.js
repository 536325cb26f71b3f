// Gives the page its theme before the first paint. What is not chosen, or may not be read, follows the system.
try {
  // The name under which Mantine stores the choice.
  const chosen = localStorage.getItem('mantine-color-scheme-value');
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const isChosen = chosen === 'light' || chosen === 'dark';
  document.documentElement.dataset.mantineColorScheme = isChosen ? chosen : system;
} catch {}
