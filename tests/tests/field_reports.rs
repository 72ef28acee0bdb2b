//! Faults that real tools of this kind had in the field, one file per report. `base/contract/src/reports.rs` lists
//! them with the ones that are held elsewhere, or not yet.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails here")]

#[path = "field_reports/cc_switch_3633.rs"]
mod cc_switch_3633;
#[path = "field_reports/cc_switch_3762.rs"]
mod cc_switch_3762;
#[path = "field_reports/cc_switch_6467.rs"]
mod cc_switch_6467;
#[path = "field_reports/h14_stray_white_space.rs"]
mod h14_stray_white_space;
#[path = "field_reports/h1_bind_mounted_config.rs"]
mod h1_bind_mounted_config;
#[path = "field_reports/h2_symlinked_config.rs"]
mod h2_symlinked_config;
#[path = "field_reports/h3_duplicate_key.rs"]
mod h3_duplicate_key;
#[path = "field_reports/h4_unparseable_file.rs"]
mod h4_unparseable_file;
#[path = "field_reports/hermes_101943.rs"]
mod hermes_101943;
#[path = "field_reports/hermes_18705.rs"]
mod hermes_18705;
#[path = "field_reports/hermes_2620.rs"]
mod hermes_2620;
#[path = "field_reports/hermes_30563.rs"]
mod hermes_30563;
#[path = "field_reports/hermes_33119.rs"]
mod hermes_33119;
#[path = "field_reports/hermes_37792.rs"]
mod hermes_37792;
#[path = "field_reports/hermes_4775.rs"]
mod hermes_4775;
#[path = "field_reports/hermes_50698.rs"]
mod hermes_50698;
#[path = "field_reports/hermes_75900.rs"]
mod hermes_75900;
#[path = "field_reports/hermes_92554.rs"]
mod hermes_92554;
#[path = "field_reports/hermes_95187.rs"]
mod hermes_95187;
#[path = "field_reports/hermes_agent_template_21.rs"]
mod hermes_agent_template_21;
#[path = "field_reports/memos_1543.rs"]
mod memos_1543;
#[path = "field_reports/nemoclaw_3118.rs"]
mod nemoclaw_3118;
#[path = "field_reports/openclaw_103954.rs"]
mod openclaw_103954;
#[path = "field_reports/openclaw_105683.rs"]
mod openclaw_105683;
#[path = "field_reports/openclaw_12858.rs"]
mod openclaw_12858;
#[path = "field_reports/openclaw_129337.rs"]
mod openclaw_129337;
#[path = "field_reports/openclaw_27455.rs"]
mod openclaw_27455;
#[path = "field_reports/openclaw_32583.rs"]
mod openclaw_32583;
#[path = "field_reports/openclaw_57391.rs"]
mod openclaw_57391;
#[path = "field_reports/openclaw_67171.rs"]
mod openclaw_67171;
#[path = "field_reports/openclaw_72757.rs"]
mod openclaw_72757;
#[path = "field_reports/openclaw_76063.rs"]
mod openclaw_76063;
#[path = "field_reports/repowise_1460.rs"]
mod repowise_1460;
#[path = "field_reports/scene.rs"]
mod scene;
#[path = "field_reports/spawn_542.rs"]
mod spawn_542;
