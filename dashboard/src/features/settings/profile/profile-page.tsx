import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '../../../components/error-state.tsx';
import { timePreferencesQuery } from '../../../lib/time/preferences.ts';
import { SettingsPage } from '../settings-page.tsx';
import { SlotsSection } from '../slots/slots-section.tsx';
import { ProfileForm } from './form.tsx';

export function ProfilePage() {
  const { data: profile, error, refetch } = useQuery(timePreferencesQuery);
  return (
    <SettingsPage title="Profile" about="Your name, date and time settings, and posting slots.">
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!profile && !error && <Skeleton h={360} radius="lg" />}
      {profile && <ProfileForm profile={profile} />}
      <SlotsSection />
    </SettingsPage>
  );
}
