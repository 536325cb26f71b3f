import { Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '../../../components/error-state.tsx';
import { AnchorLink } from '../../../components/links.tsx';
import { timePreferencesQuery } from '../../../lib/time/preferences.ts';
import { DeleteSection } from '../../account/delete-section.tsx';
import { ExportButton } from '../../account/export-button.tsx';
import { Section } from '../section.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { ProfileForm } from './form.tsx';

export function ProfilePage() {
  const { data: profile, error, refetch } = useQuery(timePreferencesQuery);
  return (
    <SettingsPage title="Profile" about="Your name, your date and time settings, and your data.">
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!profile && !error && <Skeleton h={360} radius="lg" />}
      {profile && <ProfileForm profile={profile} />}
      <Section title="Your data" about="A copy of everything in your account and your brands.">
        <Group>
          <ExportButton />
        </Group>
      </Section>
      <DeleteSection />
      <Text size="sm">
        Posting slots are on the{' '}
        <AnchorLink to="/queue" search={{ slots: 'edit' }} inherit>
          Queue
        </AnchorLink>{' '}
        page.
      </Text>
    </SettingsPage>
  );
}
