import packageJson from '../../../package.json' with { type: 'json' };

/** The version of the service. */
export const { version } = packageJson;
