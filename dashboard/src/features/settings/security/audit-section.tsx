import { Section } from '../section.tsx';
import { AuditEntries } from './audit-entries.tsx';

/** Security events of the account. */
export const AuditSection = () => (
  <Section title="Audit log" about="Security events on your account. If you don’t recognise one, change your password.">
    <AuditEntries />
  </Section>
);
