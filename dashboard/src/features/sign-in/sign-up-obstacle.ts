import type { DashboardSettings } from '@crier/client';

/** Why this person cannot make an account here, and what to do. Null: they can, as far as the page knows. */
export function signUpObstacle(signUp: DashboardSettings['signUp'] | undefined, invitation: string | undefined) {
  if (invitation) return null;
  if (signUp === 'closed') return 'New accounts are closed here. Ask the operator of this service for an account.';
  if (signUp === 'invite')
    return 'You need an invitation here. Open the link in its mail, or ask the operator for one.';
  return null;
}
