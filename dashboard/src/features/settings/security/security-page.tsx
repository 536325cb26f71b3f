import { WorkspaceSection } from '../profile/workspace-section.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { AuditSection } from './audit-section.tsx';
import { PasskeysSection } from './passkeys-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { TwoFactorSection } from './two-factor-section.tsx';

export function SecurityPage() {
  return (
    <SettingsPage title="Security" about="How you sign in, where you’re signed in, and who can act on your behalf.">
      <PasswordSection />
      <TwoFactorSection />
      <PasskeysSection />
      <SessionsSection />
      <WorkspaceSection />
      <AuditSection />
    </SettingsPage>
  );
}
