import { Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';

/** A window over the page. Unlike that of `Modal`, its head is no second banner of the page, and its button has a name. */
export function Dialog({
  title,
  onClose,
  keepOnClickOutside = false,
  children,
}: {
  title: string;
  onClose: () => void;
  /** For what a click beside it must not lose. */
  keepOnClickOutside?: boolean;
  children: ReactNode;
}) {
  return (
    <Modal.Root opened onClose={onClose} centered closeOnClickOutside={!keepOnClickOutside}>
      <Modal.Overlay />
      <Modal.Content radius="lg">
        <Group justify="space-between" wrap="nowrap" p="md" pb={0}>
          <Modal.Title fw={600}>{title}</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </Group>
        <Modal.Body pt="md">{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
