#!/usr/bin/python
# Copyright (c) Cloud Console
# GNU General Public License v3.0+ (see https://www.gnu.org/licenses/gpl-3.0.txt)

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r'''
module: plan
short_description: Make the cloud what a document says
version_added: 1.0.0
description:
  - Compares a document of what should be with what is there, and applies the difference in one transaction, or nothing.
  - Things are found by their names. What is as it should be stays as it is, so the same document changes nothing the second time.
author: Cloud Console (@cloud-console)
options:
  document:
    description: >-
      The lists of an export of the console: C(enterprises), C(scopes), C(roles), C(users), C(natnetworks), C(natips) and C(natrules).
      A thing with C(absent=true) is deleted.
    type: dict
    required: true
  mode:
    description: With C(replace) everything is deleted that is missing from a list of the document. Lists that the document lacks are left alone.
    type: str
    choices: [merge, replace]
    default: merge
extends_documentation_fragment:
  - cloud.console.connection
  - cloud.console.connection.planned
'''

EXAMPLES = r'''
- name: The scopes of a region
  cloud.console.plan:
    document:
      scopes:
        - name: Europe
        - name: Iberia
          parent: Europe
          enterprises: [Acme]
        - name: Old region
          absent: true

- name: What would change, without changing it
  cloud.console.plan:
    document: "{{ lookup('file', 'cloud.json') | from_json }}"
    mode: replace
  check_mode: true
  diff: true
'''

RETURN = r'''
operations:
  description: What was or would be created, changed and deleted.
  returned: success
  type: list
  elements: dict
  sample: [{operation: create, entity: scopes, name: Iberia, changes: [{field: parent, after: Europe}]}]
event:
  description: The address of the event, by which everything can be undone at once.
  returned: changed
  type: str
refusals:
  description: The rules that refuse the plan.
  returned: failure
  type: list
  elements: dict
  sample: [{entity: scopes, name: Iberia, field: parent, code: SCOPE-1, message: The requested scope does not exist}]
'''

from ansible_collections.cloud.console.plugins.module_utils.planning import carry_out, planned_by


def main():
    module = planned_by(dict(
        document=dict(type='dict', required=True),
        mode=dict(type='str', choices=['merge', 'replace'], default='merge'),
    ), no_log=True)
    document = module.params['document']
    # The passwords of users are in no output, however much of it is shown.
    module.no_log_values.update(passwords_in(document.get('users')))
    carry_out(module, dict(document, mode=module.params['mode']))


def passwords_in(users):
    each = users if isinstance(users, list) else []
    return [str(user['password']) for user in each if isinstance(user, dict) and user.get('password')]


if __name__ == '__main__':
    main()
