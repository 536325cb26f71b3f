import { labelRules } from 'virtual:openapi';
import { Pill, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { labelsQuery } from '../../lib/queries.ts';
import { tintOf } from '../tint.ts';
import { useLabelColours } from './label-chip.tsx';
import { asLabels } from './label-names.ts';

/** Edits the labels of a post. It suggests those in use, and creates others by typing. */
export function LabelsField({
  value,
  onChange,
  disabled = false,
  isInDialog = false,
  onTyped,
}: {
  value: readonly string[];
  onChange: (labels: string[]) => void;
  disabled?: boolean;
  /** Suggests labels above the field, because the buttons are below it. */
  isInDialog?: boolean;
  /** Text that isn't a label until Enter or a comma is pressed. */
  onTyped?: (text: string) => void;
}) {
  const known = useKnownLabels();
  const colourOf = useLabelColours();
  const isFull = value.length >= labelRules.perPost;
  return (
    <TagsInput
      label="Labels"
      description={isFull ? `A post can have at most ${labelRules.perPost} labels.` : undefined}
      placeholder={value.length === 0 ? 'Add a label' : undefined}
      data={known}
      value={[...value]}
      onChange={(names) => onChange(asLabels(names, known, labelRules))}
      {...(onTyped && { onSearchChange: onTyped })}
      maxTags={labelRules.perPost}
      maxLength={labelRules.length}
      disabled={disabled}
      comboboxProps={isInDialog ? { position: 'top-start' } : {}}
      renderPill={({ option: { label }, onRemove, disabled: isFixed }) => (
        <Pill withRemoveButton={!isFixed} onRemove={onRemove} {...tintOf(colourOf(label))}>
          <bdi>{label}</bdi>
        </Pill>
      )}
    />
  );
}

/** Several brands may have the same label. */
export function useKnownLabels(): string[] {
  const { data = [] } = useQuery(labelsQuery);
  return [...new Set(data.map(({ name }) => name))];
}
