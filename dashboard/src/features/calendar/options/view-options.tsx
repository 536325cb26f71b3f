import { ActionIcon, Popover } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import type { CalendarSearch } from '../calendar-range.ts';

const OptionsPanel = lazy(() => import('./options-panel.tsx'));

/** Saved views, colours and printing. */
export function ViewOptions({
  search,
  onSearch,
}: {
  search: CalendarSearch;
  onSearch: (search: CalendarSearch) => void;
}) {
  const [isOpen, { toggle, close }] = useDisclosure();
  return (
    <Popover
      opened={isOpen}
      onChange={(opened) => !opened && close()}
      position="bottom-start"
      width={300}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <ActionIcon variant="default" size={34} aria-label="View options" title="View options" onClick={toggle}>
          <IconAdjustmentsHorizontal size={18} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label="View options">
        <Suspense>
          {isOpen && (
            <OptionsPanel
              search={search}
              onSearch={(next) => {
                close();
                onSearch(next);
              }}
              onPrint={() => {
                close();
                // Once the panel is gone.
                setTimeout(() => window.print(), 200);
              }}
            />
          )}
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
