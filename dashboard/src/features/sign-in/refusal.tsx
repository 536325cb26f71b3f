import { CrierError } from '@crier/client';
import { Alert } from '@mantine/core';

/** Why sign-in failed, and what to do. */
export function Refusal({ error }: { error: Error }) {
  const { what, why } = describeRefusal(error);
  return (
    <Alert color="red" role="alert" title={why && what}>
      {why || what}
    </Alert>
  );
}

export function describeRefusal(error: Error): { what: string; why?: string } {
  if (!(error instanceof CrierError)) return { what: error.message };
  const { body, hint } = error;
  return { what: body.error ?? error.message, why: [body.message, hint].filter(Boolean).join(' ') };
}
