import type { Connection } from '@crier/client';
import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconPencil } from '@tabler/icons-react';
import { memo } from 'react';
import { PlatformIcon } from '../../../components/channels/platform-icon.tsx';
import { platformOf } from '../../../lib/platform-name.ts';
import classes from '../composer.module.css';
import { labelOf } from './label.ts';

/** "Customise": gives a channel a separate text or separate files. */
export const Customise = memo(function Customise({
  chosen,
  withText,
  withFiles,
  onText,
  onFiles,
}: {
  chosen: readonly Connection[];
  /** The channels that get the shared text. */
  withText: readonly Connection[];
  /** The channels that get the shared files. */
  withFiles: readonly Connection[];
  onText: (platformId: string) => void;
  onFiles: (platformId: string) => void;
}) {
  if (withText.length === 0 && withFiles.length === 0) return null;
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="default"
          w="fit-content"
          leftSection={<IconPencil size={14} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          Customise
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.menu}>
        {withText.length > 0 && <Menu.Label>Write a separate text for</Menu.Label>}
        {withText.map((channel) => (
          <Item
            key={channel.platformId}
            channel={channel}
            label={labelOf(channel, chosen)}
            onChoose={() => onText(channel.platformId)}
          />
        ))}
        {withFiles.length > 0 && <Menu.Label>Choose separate files for</Menu.Label>}
        {withFiles.map((channel) => (
          <Item
            key={channel.platformId}
            channel={channel}
            label={labelOf(channel, chosen)}
            prefix="Separate files for "
            onChoose={() => onFiles(channel.platformId)}
          />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
});

const Item = ({
  channel: { platformId },
  label,
  prefix,
  onChoose,
}: {
  channel: Connection;
  label: string;
  /** For screen readers, which don't read the heading. */
  prefix?: string;
  onChoose: () => void;
}) => (
  <Menu.Item
    leftSection={<PlatformIcon platform={platformOf(platformId)} />}
    aria-label={prefix && `${prefix}${label}`}
    onClick={onChoose}
  >
    {label}
  </Menu.Item>
);
