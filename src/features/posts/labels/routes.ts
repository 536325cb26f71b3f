import type { App } from '../../../app.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { listBrandsInTurn } from '../../users/brands.ts';
import * as examples from '../examples.ts';
import { changeLabel, listLabels, listLabelsOfBrands } from './labels.ts';
import * as shape from './schema.ts';

const tags = ['Posts'];

export function labelRoutes(server: Server, app: App) {
  server.get(
    '/labels',
    {
      schema: {
        operationId: 'listLabels',
        summary: 'List the labels in use',
        description:
          'Lists every label that at least one post has. A label is created when `create-post` or `update-post` first uses it.',
        tags,
        example: examples.listLabels,
        querystring: shape.ListLabels,
        response: { 200: shape.LabelList },
      },
      config: { failure: 'labels_unreadable', problems: ['list_brands_invalid'] },
    },
    ({ who, query }, reply) =>
      query.brands ? listBrandsInTurn(who.ownerId, reply, () => listLabelsOfBrands(app, who)) : listLabels(app, who),
  );

  server.patch(
    '/labels/:label',
    {
      schema: {
        operationId: 'changeLabel',
        summary: 'Change the colour of a label',
        description: 'The dashboard shows the label in this colour. A new label gets a colour automatically.',
        tags,
        example: examples.changeLabel,
        params: shape.LabelPath,
        body: shape.ChangeLabel,
        response: { 200: shape.LabelChanged },
      },
      config: { failure: 'label_unwritable', problems: ['label_not_found', 'label_colour_invalid'] },
    },
    ({ who, params, body }) => changeLabel(app, who, { name: params.label.normalize('NFC').trim(), ...body }),
  );
}
