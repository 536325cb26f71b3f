import { CloseButton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { channelName } from '../../../components/channels/avatar.tsx';
import { PlatformIcon } from '../../../components/channels/platform-icon.tsx';
import { platformOf } from '../../../lib/platform-name.ts';
import { channelsQuery } from '../../../lib/queries.ts';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { formatTime } from '../../../lib/time/time.ts';
import { type Slot, weekdayName, weekdaysFrom } from './posting-slots.ts';
import classes from './slots.module.css';

/** The slots by weekday. */
export function SlotWeek({ slots, onRemove }: { slots: readonly Slot[]; onRemove: (slot: Slot) => void }) {
  const { locale, weekStart } = useTimePreferences();
  return (
    <ul className={classes.rows} aria-label="Posting slots">
      {weekdaysFrom(weekStart).map((weekday) => (
        <li key={weekday}>
          <Text size="sm" fw={500} className={classes.day}>
            {weekdayName(weekday, locale)}
          </Text>
          <div className={classes.times}>
            <Day slots={slots.filter((slot) => slot.weekday === weekday)} onRemove={onRemove} />
          </div>
        </li>
      ))}
    </ul>
  );
}

function Day({ slots, onRemove }: { slots: readonly Slot[]; onRemove: (slot: Slot) => void }) {
  const preferences = useTimePreferences();
  const { data: channels = [] } = useQuery(channelsQuery);
  if (slots.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No slots
      </Text>
    );
  }
  return slots.map((slot) => {
    const channel = channels.find(({ platformId }) => platformId === slot.platformId);
    const time = formatTime(`2027-01-04T${slot.time}:00Z`, { ...preferences, zone: 'UTC' });
    const whose = slot.platformId ? ` for ${channel ? channelName(channel) : 'a disconnected channel'}` : '';
    return (
      <span key={`${slot.time} ${slot.platformId}`} className={classes.time}>
        {slot.platformId && <PlatformIcon platform={platformOf(slot.platformId)} size={14} />}
        {time}
        {channel && (
          <Text span size="xs" c="dimmed" maw={140} truncate>
            {channelName(channel)}
          </Text>
        )}
        <CloseButton
          size="xs"
          radius="xl"
          aria-label={`Remove ${weekdayName(slot.weekday, preferences.locale)} ${time}${whose}`}
          onClick={() => onRemove(slot)}
        />
      </span>
    );
  });
}
