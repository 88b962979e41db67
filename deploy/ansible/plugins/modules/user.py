#!/usr/bin/python
# Copyright (c) Cloud Console
# GNU General Public License v3.0+ (see https://www.gnu.org/licenses/gpl-3.0.txt)

# Made by "npm run ansible" from the description of the API. Do not change it by hand.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r'''
module: user
short_description: Create, change or delete a user
version_added: 1.0.0
description:
  - Makes a user as the options say. What no option names stays as it is.
  - Several things are faster and safer in one document, by the module M(cloud.console.plan).
author: Cloud Console (@cloud-console)
options:
  nick:
    description: >-
      The name by which the user signs in.
    type: str
    required: true
  name:
    description: >-
      The name.
    type: str
  surname:
    description: >-
      The family name.
    type: str
  email:
    description: >-
      The address for mails.
    type: str
  description:
    description: >-
      What it is for. Line breaks are kept.
    type: str
  enterprise:
    description: >-
      The name of its enterprise.
    type: str
  role:
    description: >-
      The name of the role.
    type: str
  scope:
    description: >-
      The name of the scope. Empty, none.
    type: str
  locale:
    description: >-
      The language, such as C(es_ES).
    type: str
  auth_type:
    description: >-
      How a new user signs in. It cannot change.
    type: str
  active:
    description: >-
      Whether the user can sign in.
    type: bool
  locked:
    description: >-
      Whether too many wrong passwords locked the user.
    type: bool
  allowed_cidrs:
    description: >-
      The ranges of addresses from which the user may sign in. Empty, from anywhere.
    type: list
    elements: str
  ends:
    description: >-
      When it ends by itself (RFC 3339). Empty: never. Missing: it stays as it is.
    type: str
  tags:
    description: >-
      Its tags, in their order.
    type: list
    elements: str
  password:
    description: >-
      At least 12 characters, or as many as the setting PASSWORD_MIN_LENGTH requires; no common password, no name of this
      installation, and not the nick. It counts when the user is created.
    type: str
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
  cloud.console.user:
    nick: ada
    enterprise: Acme
    role: Auditor

- name: It is not there
  cloud.console.user:
    nick: ada
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
    'nick': ('nick', dict(type='str', required=True)),
    'name': ('name', dict(type='str')),
    'surname': ('surname', dict(type='str')),
    'email': ('email', dict(type='str')),
    'description': ('description', dict(type='str')),
    'enterprise': ('enterprise', dict(type='str')),
    'role': ('role', dict(type='str')),
    'scope': ('scope', dict(type='str')),
    'locale': ('locale', dict(type='str')),
    'auth_type': ('authType', dict(type='str')),
    'active': ('active', dict(type='bool')),
    'locked': ('locked', dict(type='bool')),
    'allowed_cidrs': ('allowedCIDRs', dict(type='list', elements='str')),
    'ends': ('ends', dict(type='str')),
    'tags': ('tags', dict(type='list', elements='str')),
    'password': ('password', dict(type='str', no_log=True)),
}


def main():
    run_for('users', OPTIONS)


if __name__ == '__main__':
    main()
