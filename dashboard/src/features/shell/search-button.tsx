import { ActionIcon, Button, Kbd } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { collectTyping, type TypeAhead } from './type-ahead.ts';

const Search = lazy(() => import('./search.tsx'));

/** Search for posts, channels, pages and actions. Loaded when first opened. */
export function SearchButton({ onShortcuts }: { onShortcuts: () => void }) {
  const [openings, setOpenings] = useState(0);
  const typing = useRef<TypeAhead | null>(null);
  const open = () => {
    typing.current?.end();
    typing.current = collectTyping();
    setOpenings((before) => before + 1);
  };
  const takeTyped = () => {
    const typed = typing.current?.end() ?? null;
    typing.current = null;
    return typed;
  };
  // Also works while a field has focus.
  useHotkeys([['mod+K', open]], [], true);
  return (
    <>
      <Button
        visibleFrom="sm"
        variant="default"
        aria-keyshortcuts="Control+K Meta+K"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          <Kbd size="xs" aria-hidden>
            {isApple ? '⌘ K' : 'Ctrl K'}
          </Kbd>
        }
        onClick={open}
      >
        Search
      </Button>
      <ActionIcon hiddenFrom="sm" variant="subtle" size="lg" aria-label="Search" onClick={open}>
        <IconSearch size={22} stroke={1.6} aria-hidden />
      </ActionIcon>
      {openings > 0 && (
        <Suspense fallback={null}>
          <Search openings={openings} takeTyped={takeTyped} onShortcuts={onShortcuts} />
        </Suspense>
      )}
    </>
  );
}

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
