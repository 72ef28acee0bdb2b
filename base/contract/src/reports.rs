//! Faults that real tools of this kind had, as properties, and the test that holds each. A test of the
//! project checks that every named test exists.

/// Where a property is held.
#[derive(Debug, Clone, Copy)]
pub enum Held {
    /// By this test.
    Test {
        /// The file, from the root of the repository.
        file: &'static str,
        /// The test function.
        name: &'static str,
    },
    /// By none, for this reason.
    NotYet(&'static str),
}

/// One row of the documented table.
pub struct Row {
    /// The public report, or the row of a table of such reports.
    pub report: &'static str,
    /// What must always hold.
    pub property: &'static str,
    /// Where it is held.
    pub held: Held,
}

/// All rows in the order of the documentation.
pub const TABLE: &[Row] = &[
    Row {
        report: "H1: toolhive#3979, semantic-router#4027, cc-switch#5005, openclaw-operator#9, hermes-agent#34252",
        property: "a bind-mounted file, where a rename fails, is edited all the same",
        held: Held::Test {
            file: "tests/tests/field_reports/h1_bind_mounted_config.rs",
            name: "a_bind_mounted_config_is_edited_where_it_is",
        },
    },
    Row {
        report: "H2: opencode-quota#265, pi-mcp-adapter#597, lnav#1489, cc-switch#5249, hermes-agent#16743, openclaw#69396",
        property: "a link stays a link, its target keeps mode and owner; dangling and looping links are refused",
        held: Held::Test {
            file: "tests/tests/field_reports/h2_symlinked_config.rs",
            name: "a_symlinked_config_stays_a_link",
        },
    },
    Row {
        report: "H3: hermes-studio#628",
        property: "never a block is edited that the agent does not read",
        held: Held::Test {
            file: "tests/tests/field_reports/h3_duplicate_key.rs",
            name: "the_block_that_the_agent_reads_is_wired_and_all_lines_are_named",
        },
    },
    Row {
        report: "H4: hermes-agent#102945, #23585, #33405",
        property: "what cannot be parsed is never written",
        held: Held::Test {
            file: "tests/tests/field_reports/h4_unparseable_file.rs",
            name: "a_broken_file_is_refused_with_its_place",
        },
    },
    Row {
        report: "H5: openclaw#105683",
        property: "bytes outside the entry equal the original",
        held: Held::Test {
            file: "tests/tests/field_reports/openclaw_105683.rs",
            name: "bytes_outside_the_entry_equal_the_original",
        },
    },
    Row {
        report: "H14: gickup#94, hcloud-cli#102, java-sdk#645, dify#34596 and others",
        property: "stray characters are normalised or refused by name, never printed",
        held: Held::Test {
            file: "tests/tests/field_reports/h14_stray_white_space.rs",
            name: "a_zero_width_or_inner_line_break_is_refused_by_name_kind_and_place",
        },
    },
    Row {
        report: "hermes-agent#50698, #92554, #63039",
        property: "comments, order and quotes stay",
        held: Held::Test {
            file: "tests/tests/field_reports/hermes_50698.rs",
            name: "comments_order_and_quotes_stay",
        },
    },
    Row {
        report: "hermes-agent#92554 (comment), #35406, #51579",
        property: "nothing is written when values are equal, also after the host rewrote the file; no version is invented",
        held: Held::Test {
            file: "tests/tests/field_reports/hermes_92554.rs",
            name: "a_rewrite_by_the_host_with_equal_values_is_left_alone",
        },
    },
    Row {
        report: "hermes-agent#4775",
        property: "placeholders of others are neither expanded nor printed",
        held: Held::Test {
            file: "tests/tests/field_reports/hermes_4775.rs",
            name: "placeholders_of_others_are_neither_expanded_nor_printed",
        },
    },
    Row {
        report: "cc-switch#3762, #3929, #2529",
        property: "one section only",
        held: Held::Test {
            file: "tests/tests/field_reports/cc_switch_3762.rs",
            name: "there_is_one_block_afterwards",
        },
    },
    Row {
        report: "cc-switch#3633",
        property: "CRLF and byte order mark are seen and kept",
        held: Held::Test {
            file: "tests/tests/field_reports/cc_switch_3633.rs",
            name: "crlf_and_byte_order_mark_are_seen_and_kept",
        },
    },
    Row {
        report: "hermes-agent#75900, #75431",
        property: "a broken file keeps every byte",
        held: Held::Test {
            file: "tests/tests/field_reports/hermes_75900.rs",
            name: "a_broken_file_keeps_every_byte",
        },
    },
    Row {
        report: "hermes-agent#33119",
        property: "a malformed neighbour does not stop our entry",
        held: Held::Test {
            file: "tests/tests/field_reports/hermes_33119.rs",
            name: "a_broken_neighbour_does_not_stop_our_entry_and_is_reported",
        },
    },
    Row {
        report: "hermes-agent#16480, #15290; openclaw#61279, #27336, #21571, #5434, #78493",
        property: "owner and mode stay, also as root; a file of another owner is refused with the `chown`",
        held: Held::Test {
            file: "tests/tests/files/owners.rs",
            name: "owner_group_and_mode_of_an_agents_file_stay",
        },
    },
    Row {
        report: "hermes-agent#37792",
        property: "the key is written with one `Bearer`",
        held: Held::Test {
            file: "tests/tests/field_reports/hermes_37792.rs",
            name: "the_prefix_stands_once",
        },
    },
    Row {
        report: "hermes-agent#101943, #44704",
        property: "an empty or placeholder key is never written",
        held: Held::Test {
            file: "tests/tests/field_reports/hermes_101943.rs",
            name: "an_empty_or_placeholder_key_is_never_written",
        },
    },
    Row {
        report: "hermes-agent#30563, #86012",
        property: "no server is named like a built-in toolset",
        held: Held::Test {
            file: "tests/tests/field_reports/hermes_30563.rs",
            name: "a_server_named_like_a_toolset_is_reported_and_ours_is_not_named_so",
        },
    },
    Row {
        report: "repowise#1460",
        property: "`platform_toolsets` is not touched",
        held: Held::Test {
            file: "tests/tests/field_reports/repowise_1460.rs",
            name: "platform_toolsets_are_not_touched",
        },
    },
    Row {
        report: "repowise#1460; openclaw#76063, #74726, #76724, #114154",
        property: "policies that hide the Hub's tools are reported",
        held: Held::Test {
            file: "tests/tests/field_reports/openclaw_76063.rs",
            name: "what_hides_the_hubs_tools_from_openclaw_is_named_with_its_line",
        },
    },
    Row {
        report: "hermes-agent#95187, #10663, #17244",
        property: "a stale transport goes from our entry",
        held: Held::Test {
            file: "tests/tests/field_reports/hermes_95187.rs",
            name: "the_transport_line_goes_from_our_entry_alone",
        },
    },
    Row {
        report: "hermes-agent#18705, #19201",
        property: "a key in Hermes's own `.env` that shadows the environment is reported",
        held: Held::Test {
            file: "tests/tests/field_reports/hermes_18705.rs",
            name: "a_key_that_the_env_file_sets_is_reported_by_name_and_line",
        },
    },
    Row {
        report: "hermes-agent#63423, #13146, #110976",
        property: "the file is written before the agent starts",
        held: Held::Test {
            file: "tests/tests/bootstrap.rs",
            name: "a_boot_wires_a_new_home_and_becomes_the_agent",
        },
    },
    Row {
        report: "hermes-agent#2620, #15387, #18220",
        property: "nothing that is written can be misread",
        held: Held::Test {
            file: "tests/tests/field_reports/hermes_2620.rs",
            name: "nothing_that_is_written_can_be_misread",
        },
    },
    Row {
        report: "hermes-agent-template#21",
        property: "servers that were there stay",
        held: Held::Test {
            file: "tests/tests/field_reports/hermes_agent_template_21.rs",
            name: "servers_that_were_there_stay",
        },
    },
    Row {
        report: "hermes-agent#90947; openclaw#129337",
        property: "what is reported is what is on disk",
        held: Held::Test {
            file: "tests/tests/field_reports/openclaw_129337.rs",
            name: "the_registered_line_says_what_is_on_disk",
        },
    },
    Row {
        report: "hermes-agent#119733, #119763; openclaw#25853, #82439, #20809",
        property: "secrets of the wake route",
        held: Held::NotYet("comes with the wake step"),
    },
    Row {
        report: "openclaw#67171, #9813, #11466, #9627, #23307",
        property: "references stay references",
        held: Held::Test {
            file: "tests/tests/field_reports/openclaw_67171.rs",
            name: "references_stay_references",
        },
    },
    Row {
        report: "openclaw#57391, #31148",
        property: "retired keys go from our entry",
        held: Held::Test {
            file: "tests/tests/field_reports/openclaw_57391.rs",
            name: "retired_keys_go_from_our_entry_alone",
        },
    },
    Row {
        report: "openclaw#112864",
        property: "a reader never sees half a file",
        held: Held::Test { file: "tests/tests/drills.rs", name: "killed_at_every_fail_point" },
    },
    Row {
        report: "openclaw#72757, #137476",
        property: "the transport is always written",
        held: Held::Test {
            file: "tests/tests/field_reports/openclaw_72757.rs",
            name: "the_transport_is_always_written",
        },
    },
    Row {
        report: "openclaw#70901, #84967, #95678",
        property: "a reference is written only where it will resolve",
        held: Held::Test {
            file: "tests/tests/bootstrap.rs",
            name: "a_reference_that_nobody_would_resolve_is_an_error_without_a_command",
        },
    },
    Row {
        report: "openclaw#32583; codebase-memory-mcp#653; gbrain#4842",
        property: "servers stand under `mcp.servers`",
        held: Held::Test {
            file: "tests/tests/field_reports/openclaw_32583.rs",
            name: "servers_stand_where_openclaw_reads_them_and_the_wrong_key_is_reported",
        },
    },
    Row {
        report: "openclaw#103954",
        property: "what was switched off by a retired key stays off",
        held: Held::Test {
            file: "tests/tests/field_reports/openclaw_103954.rs",
            name: "what_was_switched_off_stays_off",
        },
    },
    Row {
        report: "openclaw#27455, #53160, #135190, #96046",
        property: "a plugin slot that would keep the gateway from starting is reported",
        held: Held::Test {
            file: "tests/tests/field_reports/openclaw_27455.rs",
            name: "the_fault_is_reported_and_our_entry_is_in_place",
        },
    },
    Row {
        report: "openclaw#12858, #10688, #90551, #78848, #78295",
        property: "a dropped section is put back at the next start",
        held: Held::Test {
            file: "tests/tests/field_reports/openclaw_12858.rs",
            name: "a_dropped_section_is_put_back",
        },
    },
    Row {
        report: "MemOS#1543, NemoClaw#3160",
        property: "all of JSON5 is read",
        held: Held::Test { file: "tests/tests/field_reports/memos_1543.rs", name: "all_of_json5_is_read" },
    },
    Row {
        report: "cc-switch#6467; openclaw#76432",
        property: "strict JSON stays strict JSON",
        held: Held::Test {
            file: "tests/tests/field_reports/cc_switch_6467.rs",
            name: "strict_json_stays_strict_json",
        },
    },
    Row {
        report: "NemoClaw#3118",
        property: "an empty file beside a backup is refused",
        held: Held::Test {
            file: "tests/tests/field_reports/nemoclaw_3118.rs",
            name: "an_empty_file_beside_a_backup_is_refused_and_the_backup_is_named",
        },
    },
    Row {
        report: "spawn#542, #553",
        property: "every character is escaped",
        held: Held::Test {
            file: "tests/tests/field_reports/spawn_542.rs",
            name: "every_character_of_a_key_and_url_is_escaped",
        },
    },
    Row {
        report: "openclaw#120411, #103396; claude-code#82351",
        property: "no secret in arguments, output or errors",
        held: Held::Test {
            file: "tests/tests/canary.rs",
            name: "no_command_prints_a_secret_whatever_the_outcome",
        },
    },
];
