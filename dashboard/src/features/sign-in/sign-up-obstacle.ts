import type { DashboardSettings } from '@crier/client';

/** Why sign-up isn't possible, and what to do. Null: it is, as far as the page knows. */
export function signUpObstacle(signUp: DashboardSettings['signUp'] | undefined, invitation: string | undefined) {
  if (invitation) return null;
  if (signUp === 'closed') return 'Sign-up is closed. Ask the operator for an account.';
  if (signUp === 'invite')
    return 'Sign-up needs an invitation. Use the link in your invitation email, or ask the operator for one.';
  return null;
}
