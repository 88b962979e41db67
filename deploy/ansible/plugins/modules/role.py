#!/usr/bin/python
# Copyright (c) Cloud Console
# GNU General Public License v3.0+ (see https://www.gnu.org/licenses/gpl-3.0.txt)

# Made by "npm run ansible" from the description of the API. Do not change it by hand.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r'''
module: role
short_description: Create, change or delete a role
version_added: 1.0.0
description:
  - Makes a role as the options say. What no option names stays as it is.
  - Several things are faster and safer in one document, by the module M(cloud.console.plan).
author: Cloud Console (@cloud-console)
options:
  name:
    description: >-
      The name.
    type: str
    required: true
  enterprise:
    description: >-
      The name of its enterprise.
    type: str
  scope:
    description: >-
      The name of the scope. Empty, none.
    type: str
  privileges:
    description: >-
      The names of its privileges.
    type: list
    elements: str
  description:
    description: >-
      What it is for. Line breaks are kept.
    type: str
  tags:
    description: >-
      Its tags, in their order.
    type: list
    elements: str
  state:
    description: With C(absent) it is deleted, and only the options count that say which one it is.
    type: str
    choices: [present, absent]
    default: present
extends_documentation_fragment:
  - cloud.console.connection
  - cloud.console.connection.planned
'''

EXAMPLES = r'''
- name: It is there
  cloud.console.role:
    name: Auditor
    privileges: [USERS_VIEW]

- name: It is not there
  cloud.console.role:
    name: Auditor
    state: absent
'''

RETURN = r'''
operations:
  description: What was or would be created, changed or deleted. Empty if it is as it should be.
  returned: success
  type: list
  elements: dict
event:
  description: The address of the event, by which the change can be undone.
  returned: changed
  type: str
refusals:
  description: The rules that refuse the change.
  returned: failure
  type: list
  elements: dict
'''

from ansible_collections.cloud.console.plugins.module_utils.planning import run_for

OPTIONS = {
    'name': ('name', dict(type='str', required=True)),
    'enterprise': ('enterprise', dict(type='str')),
    'scope': ('scope', dict(type='str')),
    'privileges': ('privileges', dict(type='list', elements='str')),
    'description': ('description', dict(type='str')),
    'tags': ('tags', dict(type='list', elements='str')),
}


def main():
    run_for('roles', OPTIONS)


if __name__ == '__main__':
    main()
