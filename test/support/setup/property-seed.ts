import fc from 'fast-check';

// Property tests try the same values in each run, so that a failure is due to the change at hand. New ones are tried with
// `PROPERTY_SEED=random npm test`.
const seed = process.env.PROPERTY_SEED ?? '1';
fc.configureGlobal({ seed: seed === 'random' ? Date.now() : Number(seed) });
