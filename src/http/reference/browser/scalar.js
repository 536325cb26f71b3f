let loaded = null;
let reference = null;

/**
 * Opens Scalar, which can send requests, at one operation. It is 4 MB of script that takes a second and more to begin, so it is
 * loaded when somebody wants to try something.
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
