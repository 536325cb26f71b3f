import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';

/** "Search media": by file name, alt text or label. */
export function SearchField({ value, onSearch }: { value: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const send = (next: string) => {
    sent.current = next;
    onSearch(next);
  };
  const sendLater = useDebouncedCallback(send, 300);
  // The filter was changed elsewhere, for example with the browser's Back button.
  useEffect(() => {
    if (value !== sent.current) setText(value);
    sent.current = value;
  }, [value]);
  const change = (next: string) => {
    setText(next);
    sendLater(next.trim());
  };
  return (
    <TextInput
      aria-label="Search media"
      placeholder="Search media"
      type="search"
      maxLength={200}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={text && <CloseButton size="sm" aria-label="Clear search" onClick={() => change('')} />}
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}
