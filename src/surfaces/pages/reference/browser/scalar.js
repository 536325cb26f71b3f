let loaded = null;
let reference = null;

/**
 * Opens Scalar, which can send requests, at one operation. It is loaded when somebody wants to try something, because it is
 * slow to begin: on two busy cores, its script took 0.8 s of processor time and its first drawing 2.6 s, where this page took
 * 0.3 s (Chromium, November 2026). Of the 2.6 s, 1.9 s remain with a single operation, and closed tags and responses change
 * nothing.
 */
export async function openScalar({ description, key, operation, isDark }) {
  loaded ??= load();
  await loaded;
  location.hash = addressOf(description, operation);
  const configuration = configurationOf(description, key, isDark);
  if (reference) reference.updateConfiguration(configuration);
  else reference = Scalar.createApiReference('#reference', configuration);
}

function load() {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = document.querySelector('#start').dataset.scalar;
    script.addEventListener('load', resolve);
    script.addEventListener('error', () => {
      loaded = null;
      reject(new Error('Scalar could not be loaded.'));
    });
    document.head.append(script);
  });
}

/** Where Scalar shows an operation. */
function addressOf({ paths }, operation) {
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { operationId, tags }] of Object.entries(methods)) {
      const tag = tags[0].toLowerCase().replaceAll(' ', '-');
      if (operationId === operation) return `#tag/${tag}/${method.toUpperCase()}${path}`;
    }
  }
  return '';
}

const configurationOf = (content, key, isDark) => ({
  content,
  layout: 'modern',
  theme: 'default',
  forceDarkModeState: isDark ? 'dark' : 'light',
  hideDarkModeToggle: true,
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  hideModels: true,
  // The examples of the document take their place.
  hiddenClients: true,
  documentDownloadType: 'none',
  authentication: {
    preferredSecurityScheme: 'apiKey',
    securitySchemes: { apiKey: { value: key } },
  },
});
