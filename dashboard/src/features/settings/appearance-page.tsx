import { type MantineColorScheme, Radio, Stack, Switch, useMantineColorScheme } from '@mantine/core';
import { useApiGroup } from '../../lib/api-group.ts';
import { Section } from './section.tsx';
import { SettingsPage } from './settings-page.tsx';

const themes: readonly { value: MantineColorScheme; label: string; description?: string }[] = [
  { value: 'auto', label: 'System', description: 'Follows your device settings.' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

export function AppearancePage() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [hasApi, setApi] = useApiGroup();
  const choose = (value: string) => {
    const theme = themes.find((known) => known.value === value);
    if (theme) setColorScheme(theme.value);
  };
  return (
    <SettingsPage title="Appearance" about="How the dashboard looks on this device.">
      <Section title="Theme">
        <Radio.Group aria-label="Theme" value={colorScheme} onChange={choose}>
          <Stack>
            {themes.map((theme) => (
              <Radio key={theme.value} {...theme} />
            ))}
          </Stack>
        </Radio.Group>
      </Section>
      <Section title="Sidebar">
        <Switch
          label="Show “API”"
          description="Keys, webhooks, agents and requests. When hidden, the search still finds these pages."
          checked={hasApi}
          onChange={(event) => setApi(event.currentTarget.checked)}
        />
      </Section>
    </SettingsPage>
  );
}
