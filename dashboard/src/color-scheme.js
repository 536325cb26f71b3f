// Sets the theme before the first paint. Follows the system if there is no choice or it can't be read.
try {
  // The key under which Mantine stores the choice.
  const chosen = localStorage.getItem('mantine-color-scheme-value');
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const isChosen = chosen === 'light' || chosen === 'dark';
  document.documentElement.dataset.mantineColorScheme = isChosen ? chosen : system;
} catch {}
