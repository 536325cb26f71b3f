import { labelRules } from 'virtual:openapi';
import type { Label } from '@crier/client';
import { Button, Group, Modal, Popover, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconTags } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { crier } from '../../lib/api.ts';
import { allBrands, useBrand } from '../../lib/brands/brand.ts';
import { labelsQuery } from '../../lib/queries.ts';
import { keys } from '../../lib/query-keys.ts';
import { ColourChoice } from '../colour-choice.tsx';
import { AnchorLink } from '../links.tsx';
import { notifyError } from '../notify.tsx';
import { LabelChip } from './label-chip.tsx';

/** "Manage labels": the colour of each label in use, and its posts. */
export function ManageLabels() {
  const { data: labels = [] } = useQuery(labelsQuery);
  const [isOpen, setOpen] = useState(false);
  // Labels belong to one brand.
  if (useBrand() === allBrands || labels.length === 0) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconTags size={18} aria-hidden />} onClick={() => setOpen(true)}>
        Manage labels
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Manage labels" centered>
        <Text size="sm" mb="sm">
          Select a label to change its colour.
        </Text>
        <Stack component="ul" gap={4} m={0} p={0} style={{ listStyle: 'none' }}>
          {labels.map((label) => (
            <LabelRow key={label.name} label={label} onLeave={() => setOpen(false)} />
          ))}
        </Stack>
        <Text size="sm" c="dimmed" mt="md">
          Labels that no post uses aren’t listed.
        </Text>
      </Modal>
    </>
  );
}

function LabelRow({ label, onLeave }: { label: Label; onLeave: () => void }) {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const change = useMutation({
    mutationFn: (colour: Label['colour']) => crier.changeLabel({ label: label.name, colour }),
    onError: (error) => notifyError('Couldn’t change the colour', error),
    onSettled: () => client.invalidateQueries({ queryKey: keys.labels }),
  });
  const colour = change.isPending ? change.variables : label.colour;
  return (
    <Group component="li" justify="space-between" wrap="nowrap" gap="sm" mih={36}>
      <Popover opened={isOpen} onChange={setOpen} trapFocus returnFocus position="bottom-start" shadow="md">
        <Popover.Target>
          <UnstyledButton
            aria-label={`Colour of ${label.name}`}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            miw={0}
          >
            <Group component="span" display="inline-flex" gap={4} wrap="nowrap">
              <LabelChip name={label.name} colour={colour} />
              <IconChevronDown size={14} aria-hidden style={{ flex: 'none' }} />
            </Group>
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown maw={260}>
          <ColourChoice
            label={`Colour of ${label.name}`}
            colours={labelRules.colours}
            value={colour}
            onChange={(chosen) => {
              change.mutate(chosen);
              setOpen(false);
            }}
          />
        </Popover.Dropdown>
      </Popover>
      <AnchorLink to="/posts" search={{ label: label.name }} size="sm" flex="none" onClick={onLeave}>
        Show posts
      </AnchorLink>
    </Group>
  );
}
