import fc from 'fast-check';

// Property tests try the same values in each run, so that a failure is caused by the current change.
// `PROPERTY_SEED=random npm test` tries new ones.
const seed = process.env.PROPERTY_SEED ?? '1';
fc.configureGlobal({ seed: seed === 'random' ? Date.now() : Number(seed) });
