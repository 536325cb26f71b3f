import { Badge, Button, Group, Modal, Skeleton, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCheck } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorState } from '../../../components/error-state.tsx';
import { crier } from '../../../lib/api.ts';
import { count } from '../../../lib/posts/post-summary.ts';
import { keys } from '../../../lib/query-keys.ts';
import { Notice } from '../notice.tsx';
import { Section } from '../section.tsx';
import { twoFactorQuery } from '../settings-queries.ts';
import { CodeField } from './code-field.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { TwoFactorSetup } from './two-factor-setup.tsx';

type Step =
  | { name: 'idle' }
  | { name: 'start' | 'turn-off' | 'new-codes' }
  | { name: 'setup'; secret: string; uri: string }
  | { name: 'codes'; codes: readonly string[] };

export function TwoFactorSection() {
  const { data, error, refetch } = useQuery(twoFactorQuery);
  const [step, setStep] = useState<Step>({ name: 'idle' });
  const go = (name: 'start' | 'turn-off' | 'new-codes') => () => setStep({ name });
  return (
    <Section
      title="Two-factor authentication"
      about="Requires a code from an authenticator app in addition to your password."
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={36} w={240} />}
      {data && !data.enabled && (
        <Group>
          <Badge tt="none" variant="default">
            Off
          </Badge>
          <Button onClick={go('start')}>Turn on</Button>
        </Group>
      )}
      {data?.enabled && (
        <>
          <Group gap="sm">
            <Badge tt="none" variant="default" leftSection={<IconCheck size={12} aria-hidden />}>
              On
            </Badge>
            <Text size="sm">{count(data.recoveryCodesLeft, 'recovery code')} left</Text>
          </Group>
          {data.recoveryCodesLeft < 3 && (
            <Notice isWarning title="Create new recovery codes soon">
              Without one, you can’t sign in if you lose your authenticator app.
            </Notice>
          )}
          <Group>
            <Button variant="default" onClick={go('new-codes')}>
              New recovery codes
            </Button>
            <Button variant="default" onClick={go('turn-off')}>
              Turn off
            </Button>
          </Group>
        </>
      )}
      <Dialogs step={step} setStep={setStep} />
    </Section>
  );
}

function Dialogs({ step, setStep }: { step: Step; setStep: (step: Step) => void }) {
  const client = useQueryClient();
  const refresh = () => {
    void client.invalidateQueries({ queryKey: keys.twoFactor });
    void client.invalidateQueries({ queryKey: keys.auditLog });
    // Turning it on ends all other sessions.
    void client.invalidateQueries({ queryKey: keys.sessions });
  };
  const [code, setCode] = useState('');
  const close = () => {
    setCode('');
    setStep({ name: 'idle' });
  };
  const codeField = <CodeField code={code} onCode={setCode} />;
  const showCodes = (codes: readonly string[]) => {
    setCode('');
    setStep({ name: 'codes', codes });
    refresh();
  };
  switch (step.name) {
    case 'idle':
      return null;
    case 'start':
      return (
        <PasswordDialog
          title="Turn on two-factor authentication"
          about="Enter your password to start. Nothing changes until you confirm the first code. Then your other devices are signed out."
          action="Continue"
          onPassword={async (password) => setStep({ name: 'setup', ...(await crier.startTwoFactor({ password })) })}
          onClose={close}
        />
      );
    case 'setup':
      return (
        <Modal opened title="Connect your authenticator app" onClose={close} closeOnClickOutside={false}>
          <TwoFactorSetup secret={step.secret} uri={step.uri} onCodes={showCodes} />
        </Modal>
      );
    case 'codes':
      return (
        <Modal opened title="Your recovery codes" onClose={close} closeOnClickOutside={false}>
          <RecoveryCodes codes={step.codes} onDone={close} />
        </Modal>
      );
    case 'new-codes':
      return (
        <PasswordDialog
          title="New recovery codes"
          about="You’ll get ten new codes. Your old codes stop working."
          action="Create new codes"
          onPassword={async (password) =>
            showCodes((await crier.regenerateRecoveryCodes({ password, code })).recoveryCodes)
          }
          onClose={close}
        >
          {codeField}
        </PasswordDialog>
      );
    case 'turn-off':
      return (
        <PasswordDialog
          title="Turn off two-factor authentication"
          about="You’ll sign in with your password only. Your recovery codes stop working."
          action="Turn off"
          danger
          onPassword={async (password) => {
            await crier.deleteTwoFactor({ password, code });
            close();
            refresh();
            notifications.show({ message: 'Two-factor authentication is off.', withBorder: true });
          }}
          onClose={close}
        >
          {codeField}
        </PasswordDialog>
      );
  }
}
